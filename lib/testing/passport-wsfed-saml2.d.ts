declare module 'passport-wsfed-saml2' {
  type Profile = Record<string, unknown>
  type ExpressRequest = { method: string; body: Record<string, string | undefined>; query: object; headers: object }

  export class Strategy {
    constructor(
      options: Record<string, unknown>,
      verify: (profile: Profile, done: (error: null, profile: Profile) => void) => void,
    )
    success(profile: Profile): void
    fail(reason: unknown): void
    error(error: Error): void
    authenticate(request: ExpressRequest, options: object): void
  }
}
