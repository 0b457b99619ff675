// The private key of the tenant's application with `private_key_jwt`, for Web Crypto.
import { createPrivateKey } from 'node:crypto'
import { SEAL_KEY } from '../../origins'

export const sealKey = (): Promise<CryptoKey> =>
  crypto.subtle.importKey(
    'pkcs8',
    createPrivateKey(SEAL_KEY).export({ type: 'pkcs8', format: 'der' }),
    { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
    false,
    ['sign'],
  )
