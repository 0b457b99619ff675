// The random values of one sign-in: `state` binds the response to this tab, `nonce` binds the ID token to this request, and the
// verifier proves that the client that redeems the code made the request (RFC 7636).

export type PendingSignIn = { clientId: string; state: string; nonce: string; verifier: string; redirectUri: string }

export const newSignInRequest = (clientId: string, redirectUri: string): PendingSignIn => ({
  clientId,
  state: randomToken(),
  nonce: randomToken(),
  verifier: randomToken(),
  redirectUri,
})

/** S256: the challenge that the request contains instead of the verifier. */
export async function challengeOf(verifier: string): Promise<string> {
  return base64url(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)))
}

const randomToken = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)))

function base64url(bytes: ArrayBuffer | Uint8Array<ArrayBuffer>): string {
  const text = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join('')
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
