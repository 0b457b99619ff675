// The parts of the package `saml` that a test uses; the package has no types.
declare module 'saml' {
  export type Made = {
    cert: string
    key: string
    issuer: string
    audiences: string
    recipient?: string
    inResponseTo?: string
    lifetimeInSeconds: number
    nameIdentifier: string
    nameIdentifierFormat?: string
    sessionIndex: string
    attributes: Record<string, string | string[]>
    signatureAlgorithm: 'rsa-sha256'
    digestAlgorithm: 'sha256'
    includeAttributeNameFormat?: boolean
    encryptionCert?: string
    encryptionPublicKey?: string
    encryptionAlgorithm?: string
    disallowEncryptionWithInsecureAlgorithm?: boolean
    keyEncryptionAlgorithm?: string
  }
  type Writer = { create(options: Made, done: (error: Error | null, assertion: string) => void): string }
  export const Saml11: Writer
  export const Saml20: Writer
}
