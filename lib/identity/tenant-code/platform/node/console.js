// The console of packages. The code of an action has its own (lib/identity/tenant-code/sandbox/guest.js).
import { format, inspect } from './inspect.js'

export function consoleOf(sys) {
  const counts = new Map()
  const began = new Map()
  const printer =
    (level) =>
    (...values) =>
      sys.print(level, format(...values))
  const [log, info, warn, error, debug] = ['log', 'info', 'warn', 'error', 'debug'].map(printer)
  const elapsed = (label) => `${label}: ${Date.now() - (began.get(label) ?? Date.now())}ms`
  return {
    ...{ log, info, warn, error, debug, trace: error, table: log, dirxml: log, group: log, groupCollapsed: log },
    groupEnd() {},
    clear() {},
    dir: (value, options) => sys.print('log', inspect(value, options)),
    assert(holds, ...values) {
      if (!holds) error('Assertion failed', ...values)
    },
    count(label = 'default') {
      counts.set(label, (counts.get(label) ?? 0) + 1)
      log(`${label}: ${counts.get(label)}`)
    },
    countReset: (label = 'default') => void counts.delete(label),
    time: (label = 'default') => void began.set(label, Date.now()),
    timeLog: (label = 'default', ...values) => log(elapsed(label), ...values),
    timeEnd(label = 'default') {
      log(elapsed(label))
      began.delete(label)
    },
  }
}
