// The types of subject tokens that a tenant may define: URIs of its own (RFC 8693 3). Those of IETF and of the vendor are reserved, as at the
// vendor.
import * as z from 'zod'

const RESERVED = /^(?:urn:(?:ietf|auth0|okta)(?::|$)|https?:\/\/(?:[\w.-]+\.)?(?:auth0|okta)\.com(?:[/:?#]|$))/i

export const subjectTokenType = z
  .string()
  .min(8)
  .max(100)
  .regex(
    /^(?:https?:\/\/[^\s/]+|urn:[a-z0-9][a-z0-9-]+:\S+|[a-z][a-z0-9+.-]*:\/\/\S+)\S*$/i,
    'must be a URI of your own',
  )
  .refine((type) => !RESERVED.test(type), 'is reserved')
