// The interfaces of the web and of Node.js inside the sandbox, over operations of the host (`sys`, lib/identity/tenant-code/sandbox/guest.js). It is no
// security boundary: the host judges each operation.
import { modulesOf } from './modules.js'
import { timers } from './timers.js'
import { web } from './web.js'

/** Returns the globals, `require`, and what loads the packages of a bundle. */
export function platform(sys) {
  const globals = { ...timers(sys), ...web(sys) }
  // The modules use them when they are made.
  Object.assign(globalThis, globals)
  const modules = modulesOf(sys)
  Object.assign(globals, modules.globals)
  Object.assign(globalThis, globals)
  modules.prepare()
  const { require, load, names, evaluate, refuse } = modules
  return { globals, require, load, names, evaluate, refuse }
}
