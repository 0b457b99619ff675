// Asking another server, as a dependency: what an upstream provider or a metadata address is called through. The one
// implementation (lib/channels/call-out.ts) reaches no machine that it should not (threat-model.md SE8).
export type OutgoingRequest = {
  method: string
  headers: Readonly<Record<string, string>>
  body?: string | Uint8Array | undefined
}

export type IncomingAnswer = {
  status: number
  headers: Readonly<Record<string, string>>
  body: Uint8Array<ArrayBuffer>
}

/** Rejects with a `CallOutError` when there is no whole answer; a redirect is an answer, and is not followed. */
export type CallOut = (address: string, request: OutgoingRequest) => Promise<IncomingAnswer>

/** `reason` is a code such as ECONNREFUSED; it never repeats an address or an answer. */
export class CallOutError extends Error {
  constructor(
    readonly reason: string,
    cause?: unknown,
  ) {
    super(reason, { cause })
    this.name = 'CallOutError'
  }
}
