// The platform's own: it is set before streams are made.
class NeverAborts {
  signal = undefined
  abort() {}
}
export const { AbortController = NeverAborts, AbortSignal = { any: undefined } } = globalThis
