// `api` at each trigger, for the editors of authors: `npm run actions -- types` prints it beside the types of `event`
// (lib/server/node/action-types.mjs). A call returns the `api` itself unless it says otherwise.

declare namespace LatchkeyApi {
  type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

  /** Denies the operation. At a login, `reason` is `error_description`. */
  type Deny<Api> = (reason: string) => Api

  interface Validation<Api> {
    /** Denies with a code and a message that a person reads. */
    error(code: string, message: string): Api
  }

  interface User<Api> {
    /** Is written once, after all actions succeeded and none denied; null removes the name. */
    setUserMetadata(name: string, value: Json): Api
    setAppMetadata(name: string, value: Json): Api
  }

  /** At most 25 names; names and values have at most 255 characters. */
  interface Metadata<Api> {
    /** Null removes the name. */
    setMetadata(name: string, value: string | null): Api
    deleteMetadata(name: string): Api
    evictMetadata(): Api
  }

  interface CacheRecord {
    value: string
    /** Milliseconds since 1970. */
    expires_at: number
  }
  type CacheError = { type: 'error'; code: string }

  /** Short texts that outlive a run, and may be gone at any time. */
  interface CacheAPI {
    get(key: string): CacheRecord | undefined
    /** `ttl` is in milliseconds. */
    set(
      key: string,
      value: string,
      options?: { ttl?: number; expires_at?: number },
    ): { type: 'success'; record: CacheRecord } | CacheError
    delete(key: string): { type: 'success' } | CacheError
  }

  type FactorType = 'otp' | 'phone' | 'email' | 'push-notification' | 'recovery-code' | (string & {})
  interface Factor {
    type: FactorType
    options?: { preferredMethod?: 'sms' | 'voice' | 'both' }
  }

  interface SamlResponse<Api> {
    setAttribute(name: string, value: string | number | boolean | (string | number | boolean)[] | null): Api
    setAudience(audience: string): Api
    setAuthnContextClassRef(reference: string): Api
    setCreateUpnClaim(create: boolean): Api
    setDestination(destination: string): Api
    setDigestAlgorithm(algorithm: 'sha1' | 'sha256' | 'sha512'): Api
    /** What an assertion is encrypted by. */
    setEncryptionAlgorithm(algorithm: 'aes256-gcm'): Api
    setEncryptionCert(pem: string): Api
    /** The key of the certificate, after `setEncryptionCert`. */
    setEncryptionPublicKey(pem: string): Api
    setIncludeAttributeNameFormat(include: boolean): Api
    setIssuer(issuer: string): Api
    setLifetimeInSeconds(seconds: number): Api
    setMapIdentities(map: boolean): Api
    setMapUnknownClaimsAsIs(map: boolean): Api
    setNameIdentifierFormat(format: string): Api
    setNameIdentifierProbes(probes: string[]): Api
    setPassthroughClaimsWithNoMapping(pass: boolean): Api
    setRecipient(recipient: string): Api
    setSignatureAlgorithm(algorithm: 'rsa-sha1' | 'rsa-sha256' | 'rsa-sha512'): Api
    setSignResponse(sign: boolean): Api
    setTypedAttributes(typed: boolean): Api
  }

  interface Redirect<API> {
    /** Suspends the run until the browser returns to `/continue` with the `state` that it received. */
    sendUserTo(url: string, options?: { query?: Record<string, string> }): API
    /** Whether `sendUserTo` can have an effect: not at a grant or a refresh, nor with `prompt=none`. */
    canRedirect(): boolean
    encodeToken(options: {
      secret: string
      payload: { [name: string]: Json }
      /** 900 unless it is named. */
      expiresInSeconds?: number
    }): string
    /** Returns the claims of the token, and throws if it is not of this user and login. */
    validateToken(options: {
      secret: string
      /** `session_token` unless it is named. */
      tokenParameterName?: string
    }): { [name: string]: Json }
  }

  interface PostLoginAPI {
    access: { deny: Deny<PostLoginAPI> }
    accessToken: {
      setCustomClaim(name: string, value: Json): PostLoginAPI
      addScope(scope: string): PostLoginAPI
      removeScope(scope: string): PostLoginAPI
    }
    authentication: {
      /** Suspends the run until the person has proven the factor, or one of them. */
      challengeWith(factor: Factor, options?: { additionalFactors?: Factor[] }): PostLoginAPI
      challengeWithAny(factors: Factor[]): PostLoginAPI
      /** The same with a factor that the person adds. */
      enrollWith(factor: Factor, options?: { additionalFactors?: Factor[] }): PostLoginAPI
      enrollWithAny(factors: Factor[]): PostLoginAPI
      /** In `onContinuePostLogin` only. */
      recordMethod(url: string): PostLoginAPI
      /** Whom the login goes on as: the user to whom this action has just linked the account that was proven. The actions run again. */
      setPrimaryUser(userId: string): PostLoginAPI
    }
    cache: CacheAPI
    idToken: { setCustomClaim(name: string, value: Json): PostLoginAPI }
    multifactor: {
      enable(
        provider: 'any' | 'none' | 'google-authenticator' | 'guardian',
        options?: { allowRememberBrowser?: boolean },
      ): PostLoginAPI
    }
    redirect: Redirect<PostLoginAPI>
    refreshToken: Metadata<PostLoginAPI> & {
      /** Denies the refresh, and ends its token. */
      revoke(reason: string): PostLoginAPI
      /** Milliseconds since 1970; a time later than the application's has no effect. */
      setExpiresAt(at: number): PostLoginAPI
      setIdleExpiresAt(at: number): PostLoginAPI
    }
    rules: { wasExecuted(ruleId: string): boolean }
    samlResponse: SamlResponse<PostLoginAPI>
    session: Metadata<PostLoginAPI> & {
      /** Denies the login, and ends the session of the browser with its refresh tokens. */
      revoke(reason: string, options?: { preserveRefreshTokens?: boolean }): PostLoginAPI
      /** Milliseconds since 1970; a time later than the tenant's has no effect. */
      setExpiresAt(at: number): PostLoginAPI
      setIdleExpiresAt(at: number): PostLoginAPI
      /** Whether the cookie outlasts the browser. */
      setCookieMode(mode: 'persistent' | 'non-persistent'): PostLoginAPI
    }
    transaction: { setMetadata(name: string, value: string | number | boolean | null): PostLoginAPI }
    user: User<PostLoginAPI>
    validation: Validation<PostLoginAPI>
  }

  interface CredentialsExchangeAPI {
    access: {
      deny(code: 'invalid_scope' | 'invalid_request' | 'server_error', reason: string): CredentialsExchangeAPI
    }
    accessToken: { setCustomClaim(name: string, value: Json): CredentialsExchangeAPI }
    /** Scopes of the token, within the client's grant. */
    transaction: {
      addTargetScope(scope: string): CredentialsExchangeAPI
      removeTargetScope(scope: string): CredentialsExchangeAPI
      setTargetScopes(scopes: string[]): CredentialsExchangeAPI
      clearTargetScopes(): CredentialsExchangeAPI
    }
    cache: CacheAPI
  }

  interface ExchangedAttributes {
    /** Of the account at the connection. */
    user_id: string
    email?: string
    email_verified?: boolean
    username?: string
    phone_number?: string
    phone_verified?: boolean
    name?: string
    given_name?: string
    family_name?: string
    nickname?: string
    picture?: string
    /** Mails a link that verifies the address of a new account. */
    verify_email?: boolean
  }

  interface CustomTokenExchangeAPI {
    access: {
      deny(code: string, reason: string): CustomTokenExchangeAPI
      /** Counts against guessing. */
      rejectInvalidSubjectToken(reason: string): CustomTokenExchangeAPI
    }
    authentication: {
      setUserById(userId: string): CustomTokenExchangeAPI
      setUserByConnection(
        connection: string,
        attributes: ExchangedAttributes,
        options?: { creationBehavior?: 'create_if_not_exists' | 'none'; updateBehavior?: 'replace' | 'none' },
      ): CustomTokenExchangeAPI
      setOrganization(id: string): CustomTokenExchangeAPI
      /** `act` of the tokens. */
      setActor(actor: { sub: string; [claim: string]: Json }): CustomTokenExchangeAPI
    }
    cache: CacheAPI
    user: User<CustomTokenExchangeAPI>
  }

  interface PreUserRegistrationAPI {
    access: {
      /** The person reads `userMessage`. */
      deny(reason: string, userMessage?: string): PreUserRegistrationAPI
    }
    cache: CacheAPI
    user: User<PreUserRegistrationAPI>
    validation: Validation<PreUserRegistrationAPI>
  }

  interface PostUserRegistrationAPI {
    cache: CacheAPI
  }

  interface PasswordResetPostChallengeAPI {
    access: { deny: Deny<PasswordResetPostChallengeAPI> }
    authentication: {
      /** Suspends the run until the person has proven the factor, or one of them. */
      challengeWith(factor: Factor, options?: { additionalFactors?: Factor[] }): PasswordResetPostChallengeAPI
      challengeWithAny(factors: Factor[]): PasswordResetPostChallengeAPI
    }
    cache: CacheAPI
    redirect: Redirect<PasswordResetPostChallengeAPI>
    /** Where the page leads once the password is set: an address of http or https. */
    transaction: { setResultUrl(url: string): PasswordResetPostChallengeAPI }
  }

  interface PostChangePasswordAPI {
    cache: CacheAPI
  }

  interface Notification {
    /** The message is given up. Of several calls the last one counts. */
    drop(reason: string): void
    /** The message is tried again later, until it is of no use any more. */
    retry(reason: string): void
  }

  interface CustomPhoneProviderAPI {
    cache: CacheAPI
    notification: Notification
  }

  interface CustomEmailProviderAPI {
    cache: CacheAPI
    notification: Notification
  }

  interface SendPhoneMessageAPI {
    cache: CacheAPI
  }
}
