// Deep equality (https://nodejs.org/docs/latest-v22.x/api/assert.html#assertdeepstrictequalactual-expected-message).
import { types } from './types.js'

export const isDeepStrictEqual = (one, other) => equal(one, other, true, [])
export const isDeepEqual = (one, other) => equal(one, other, false, [])

function equal(one, other, strict, past) {
  if (Object.is(one, other)) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    // biome-ignore lint/suspicious/noDoubleEquals: loose equality is what is asked for
    return !strict && (one == other || (Number.isNaN(one) && Number.isNaN(other)))
  if (strict && Object.getPrototypeOf(one) !== Object.getPrototypeOf(other)) return false
  if (Object.prototype.toString.call(one) !== Object.prototype.toString.call(other)) return false
  if (past.some(([a, b]) => a === one && b === other)) return true
  const pairs = [...past, [one, other]]
  const same = (a, b) => equal(a, b, strict, pairs)
  if (Array.isArray(one) !== Array.isArray(other)) return false
  if (types.isDate(one)) return one.getTime() === other.getTime() && ownEqual(one, other, same)
  if (types.isRegExp(one)) return String(one) === String(other) && one.lastIndex === other.lastIndex
  if (one instanceof Error)
    return one.name === other.name && one.message === other.message && ownEqual(one, other, same)
  if (types.isBoxedPrimitive(one)) return Object.is(one.valueOf(), other.valueOf()) && ownEqual(one, other, same)
  if (types.isAnyArrayBuffer(one)) return same(new Uint8Array(one), new Uint8Array(other))
  if (types.isSet(one)) return setsEqual(one, other, same) && ownEqual(one, other, same)
  if (types.isMap(one)) return mapsEqual(one, other, same) && ownEqual(one, other, same)
  if (ArrayBuffer.isView(one) && one.length !== other.length) return false
  return ownEqual(one, other, same)
}

const keysOf = (value) => Reflect.ownKeys(value).filter((key) => Object.prototype.propertyIsEnumerable.call(value, key))

function ownEqual(one, other, same) {
  const [keys, others] = [keysOf(one), keysOf(other)]
  if (Array.isArray(one) && one.length !== other.length) return false
  return keys.length === others.length && keys.every((key) => Object.hasOwn(other, key) && same(one[key], other[key]))
}

function setsEqual(one, other, same) {
  if (one.size !== other.size) return false
  const rest = new Set(other)
  for (const value of one) {
    const match = rest.has(value) ? value : [...rest].find((each) => typeof each === 'object' && same(value, each))
    if (!rest.delete(match)) return false
  }
  return true
}

function mapsEqual(one, other, same) {
  if (one.size !== other.size) return false
  const rest = new Map(other)
  for (const [key, value] of one) {
    const match = rest.has(key) ? key : [...rest.keys()].find((each) => typeof each === 'object' && same(key, each))
    if (!rest.has(match) || !same(value, rest.get(match))) return false
    rest.delete(match)
  }
  return true
}
