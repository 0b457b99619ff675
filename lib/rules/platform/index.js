// The interfaces of the web and of Node.js inside the sandbox, over operations of the host (`sys`, lib/rules/sandbox/guest.js). It is no
// security boundary: the host judges each operation.
import { timers } from './timers.js'
import { web } from './web.js'

/** Returns the globals, `require`, and `load` for the modules of a bundle. */
export function platform(sys) {
  const modules = new Map()
  const require = (name) => {
    const known = modules.get(String(name).replace(/^node:/, ''))
    if (known) return known
    sys.print('error', `require(${name}) was refused: there is no such module here`)
    throw Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' })
  }
  return { globals: { ...timers(sys), ...web(sys) }, require, load() {} }
}
