// The house of this process, for code that was bundled apart from who opened it: Next brings its own copy of every
// module, so a variable of a module would be two. There is one house per process, whichever door opened it.
import type { House } from './house'

const PLACE = Symbol.for('latchkey.house')

export function publishHouse(house: House): void {
  Reflect.set(globalThis, PLACE, house)
}

/** Undefined until somebody opened it. */
export const publishedHouse = (): House | undefined => Reflect.get(globalThis, PLACE) as House | undefined
