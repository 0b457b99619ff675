// Next reads this global, which its own start sets, when one of its modules is loaded. The files of a worker share their modules, so the
// tests of its parts would otherwise fail in the file that runs next.
import { AsyncLocalStorage } from 'node:async_hooks'

Object.assign(globalThis, { AsyncLocalStorage })
