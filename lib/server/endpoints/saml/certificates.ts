// GET /pem, /cer, /rawpem, /pb7, /fingerprint: the signing certificate, in the formats that service provider products import.
// There is one certificate for all purposes, so `?cert=connection` is the same.

import { createHash } from 'node:crypto'
import * as z from 'zod'
import { writePkcs7 } from '../../../crypto/keys/pkcs7'
import { pemOf } from '../../../crypto/saml/certificate'
import { IGNORED } from '../../../http/description'
import { defineEndpoint, type Endpoint } from '../../../http/endpoint'
import { respond, withHeaders } from '../../../http/message'
import { oauthJson } from '../../../http/render-errors'
import type { Runtime } from '../../runtime/runtime'

const mediaTypeOf = (type: string): string => type.split(';')[0] ?? type

/** `write` gets the DER bytes. */
const certificate = (name: string, type: string, write: (der: Buffer) => string | Buffer): Endpoint<Runtime> =>
  defineEndpoint({
    name: `certificate.${name}`,
    limit: 'metadata',
    shed: 'last',
    refused: null,
    cors: 'open',
    errors: oauthJson,
    describe: () => ({
      tag: 'SAML',
      GET: {
        summary: `Read the signing certificate (${name})`,
        query: z.object({ cert: z.string().optional().meta({ description: IGNORED }) }),
        answers: { 200: { says: 'The certificate', type: mediaTypeOf(type) } },
        examples: { certificate: {} },
      },
    }),
    methods: {
      GET: (_request, { keyring }) =>
        withHeaders(respond(200, type, write(Buffer.from(keyring.current.certificate, 'base64'))), [
          'cache-control',
          'public, max-age=15',
        ]),
    },
  })

export const certificatePem = certificate('pem', 'application/x-pem-file', (der) => pemOf(der.toString('base64')))
export const certificateDer = certificate('cer', 'application/pkix-cert', (der) => der)
export const certificateRaw = certificate('rawpem', 'text/plain; charset=utf-8', (der) => der.toString('base64'))
export const certificatePkcs7 = certificate('pb7', 'application/x-pkcs7-certificates', writePkcs7)

/** SHA-1, because products that ask for a fingerprint expect it; it identifies the certificate and protects nothing. */
export const certificateFingerprint = certificate('fingerprint', 'text/plain; charset=utf-8', (der) =>
  (createHash('sha1').update(der).digest('hex').toUpperCase().match(/../g) ?? []).join(':'),
)
