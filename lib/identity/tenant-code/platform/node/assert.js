// https://nodejs.org/docs/latest-v22.x/api/assert.html
import { isDeepEqual, isDeepStrictEqual } from './equal.js'
import { inspect } from './inspect.js'

class AssertionError extends Error {
  constructor({ message, actual, expected, operator }) {
    super(message ?? `${inspect(actual)} ${operator} ${inspect(expected)}`)
    Object.assign(this, { actual, expected, operator, generatedMessage: message === undefined })
    Object.defineProperty(this, 'name', { value: 'AssertionError', enumerable: false })
    this.code = 'ERR_ASSERTION'
  }
}

function failUnless(holds, message, about) {
  if (holds) return
  if (message instanceof Error) throw message
  throw new AssertionError({ message, ...about })
}

const judge = (operator, holds, text) => (actual, expected, message) =>
  failUnless(holds(actual, expected), message ?? text?.(actual, expected), { actual, expected, operator })

const SAID = 'Expected values to be strictly equal:'
const ok = (actual, message) =>
  failUnless(actual, message ?? (actual === undefined ? 'The expression evaluated to a falsy value' : undefined), {
    actual,
    expected: true,
    operator: '==',
  })

function matches(error, expected) {
  if (expected === undefined) return true
  if (expected instanceof RegExp) return expected.test(String(error))
  if (typeof expected === 'function') {
    const isClass = expected === Error || expected.prototype instanceof Error
    return error instanceof expected || (!isClass && expected.call({}, error) === true)
  }
  return Object.keys(expected).every((key) =>
    expected[key] instanceof RegExp ? expected[key].test(error[key]) : isDeepStrictEqual(error[key], expected[key]),
  )
}

function judgeThrown(thrown, expected, message, operator) {
  const [wanted, text] = typeof expected === 'string' ? [undefined, expected] : [expected, message]
  if (!thrown) failUnless(false, text ?? 'Missing expected exception.', { operator })
  else if (!matches(thrown.error, wanted)) {
    if (typeof wanted === 'function' && !(message instanceof Error)) throw thrown.error
    failUnless(false, text, { actual: thrown.error, expected: wanted, operator })
  }
}
const attempt = (action) => {
  try {
    action()
    return null
  } catch (error) {
    return { error }
  }
}
const attemptAsync = async (action) => {
  try {
    await (typeof action === 'function' ? action() : action)
    return null
  } catch (error) {
    return { error }
  }
}
const judgeCalm = (thrown, expected, message) => {
  const text = typeof expected === 'string' ? expected : message
  if (thrown)
    failUnless(false, text ?? `Got unwanted exception.\nActual message: "${thrown.error?.message}"`, {
      actual: thrown.error,
      operator: 'doesNotThrow',
    })
}

// biome-ignore lint/suspicious/noDoubleEquals: loose equality is what is asked for
const loosely = (one, other) => one == other || (Number.isNaN(one) && Number.isNaN(other))
const pair = (actual, expected) => `${SAID}\n\n${inspect(actual)} !== ${inspect(expected)}\n`

const LOOSE = {
  equal: judge('==', loosely),
  notEqual: judge('!=', (one, other) => !loosely(one, other)),
  deepEqual: judge('deepEqual', isDeepEqual),
  notDeepEqual: judge('notDeepEqual', (one, other) => !isDeepEqual(one, other)),
}
const COMMON = {
  AssertionError,
  ok,
  strictEqual: judge('strictEqual', Object.is, pair),
  notStrictEqual: judge('notStrictEqual', (one, other) => !Object.is(one, other)),
  deepStrictEqual: judge('deepStrictEqual', isDeepStrictEqual),
  notDeepStrictEqual: judge('notDeepStrictEqual', (one, other) => !isDeepStrictEqual(one, other)),
  match: judge('match', (text, pattern) => typeof text === 'string' && pattern.test(text)),
  doesNotMatch: judge('doesNotMatch', (text, pattern) => typeof text !== 'string' || !pattern.test(text)),
  fail(message = 'Failed') {
    failUnless(false, message, { operator: 'fail' })
  },
  ifError(value) {
    if (value !== null && value !== undefined)
      failUnless(false, `ifError got unwanted exception: ${value?.message ?? inspect(value)}`, {
        actual: value,
        expected: null,
        operator: 'ifError',
      })
  },
  throws: (action, expected, message) => judgeThrown(attempt(action), expected, message, 'throws'),
  rejects: async (action, expected, message) => judgeThrown(await attemptAsync(action), expected, message, 'rejects'),
  doesNotThrow: (action, expected, message) => judgeCalm(attempt(action), expected, message),
  doesNotReject: async (action, expected, message) => judgeCalm(await attemptAsync(action), expected, message),
}

export const assert = Object.assign((actual, message) => ok(actual, message), COMMON, LOOSE)
export const strict = Object.assign((actual, message) => ok(actual, message), COMMON, {
  equal: COMMON.strictEqual,
  notEqual: COMMON.notStrictEqual,
  deepEqual: COMMON.deepStrictEqual,
  notDeepEqual: COMMON.notDeepStrictEqual,
})
assert.strict = strict
strict.strict = strict
