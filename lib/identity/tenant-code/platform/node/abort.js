// The platform's own: it is set before streams are made.
export const { AbortController, AbortSignal } = globalThis
