// What surrounds a script of a connection in the sandbox: it has the vendor's globals and calls the function with its arguments and a callback.
// The host judges the answer (run-script.ts), so this is no security boundary. Pure.
// - The answer is what the callback is called with first, or the value of the promise, unless that is undefined where a callback is declared.
import { withoutVersions } from './packages'
import { asFunction } from './script'

export const HANDLER = 'onScript'

export const METHODS = ['script.pass', 'script.fail']

const SHIM = `
class WrongUsernameOrPasswordError extends Error {
  constructor(user, message) {
    super(message)
    this.name = 'WrongUsernameOrPasswordError'
    this.code = 'invalid_user_password'
  }
}

class ValidationError extends Error {
  constructor(code, message) {
    super(message)
    this.name = 'ValidationError'
    this.code = code
  }
}

class UnauthorizedError extends Error {
  constructor(message) {
    super(message)
    this.name = 'UnauthorizedError'
    this.code = 'unauthorized'
  }
}

let configuration = Object.freeze({})

exports.${HANDLER} = ({ args, configuration: values }, api) => {
  configuration = Object.freeze(values)
  return new Promise((resolve, reject) => {
    const pass = (value) => api.script.pass(value === undefined ? null : value)
    const fail = (error) => {
      const { name, message, code, stack } = error instanceof Error ? error : { message: error }
      const say = (value) => (value === undefined || value === null ? null : String(value))
      api.script.fail(say(name), say(message), say(code), say(stack))
    }
    let isOver = false
    const once = (end) => (value) => {
      if (isOver) return
      isOver = true
      try {
        resolve(end(value))
      } catch (problem) {
        reject(problem)
      }
    }
    const [passOnce, failOnce] = [once(pass), once(fail)]
    try {
      const returned = $script(...args, (error, value) => (error ? failOnce(error) : passOnce(value)))
      if (!returned || typeof returned.then !== 'function') return
      const isLast = $script.length <= args.length
      returned.then((value) => (isLast || value !== undefined ? passOnce(value) : undefined), failOnce)
    } catch (error) {
      failOnce(error)
    }
  })
}
`

/** The code of the script as an action has it; lines are those of the script. */
export const scriptCode = (script: string): string => `const $script = ${asFunction(withoutVersions(script))}\n${SHIM}`
