// A listener that is added again and again and never removed fails the run.
import { afterAll, beforeAll } from 'vitest'

const refuse = (warning: Error): void => {
  if (warning.name === 'MaxListenersExceededWarning') throw new Error(warning.stack)
}

beforeAll(() => {
  process.on('warning', refuse)
})
afterAll(() => {
  process.off('warning', refuse)
})
