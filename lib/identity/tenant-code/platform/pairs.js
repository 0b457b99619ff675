/**
 * Gives a class what iterates over pairs of a name and a value. None of these methods calls another one, because a class that extends it may
 * replace them.
 * @param pairsOf an iterator over the pairs of an instance
 */
export function iteratesPairs(Class, pairsOf) {
  const methods = {
    forEach(callback, self) {
      for (const [name, value] of pairsOf(this)) callback.call(self, value, name, this)
    },
    entries() {
      return pairsOf(this)
    },
    *keys() {
      for (const [name] of pairsOf(this)) yield name
    },
    *values() {
      for (const [, value] of pairsOf(this)) yield value
    },
    [Symbol.iterator]() {
      return pairsOf(this)
    },
  }
  for (const name of Reflect.ownKeys(methods))
    Object.defineProperty(Class.prototype, name, { value: methods[name], writable: true, configurable: true })
}
