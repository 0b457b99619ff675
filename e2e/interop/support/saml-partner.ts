// The values that an identity provider's operator takes from this server's metadata of a connection.
import { createPublicKey } from 'node:crypto'

export type ServiceProvider = {
  entityId: string
  acs: string
  slo: string
  certificate: string
  publicKey: string
}

export async function serviceProvider(server: string, connection: string): Promise<ServiceProvider> {
  const metadata = await (await fetch(`${server}/samlp/metadata?connection=${connection}`)).text()
  const first = (pattern: RegExp): string => {
    const [, found] = pattern.exec(metadata) ?? []
    if (found === undefined) throw new Error(`${pattern} is not in ${metadata}`)
    return found.replaceAll('&amp;', '&')
  }
  const certificate = pem(first(/use="encryption">.*?<X509Certificate>([^<]+)</s))
  return {
    entityId: first(/entityID="([^"]+)"/),
    acs: first(/<AssertionConsumerService [^>]*Location="([^"]+)"/),
    slo: first(/<SingleLogoutService [^>]*HTTP-Redirect"[^>]* Location="([^"]+)"/),
    certificate,
    publicKey: createPublicKey(certificate).export({ type: 'spki', format: 'pem' }).toString(),
  }
}

const pem = (base64: string): string =>
  `-----BEGIN CERTIFICATE-----\n${base64.replaceAll(/\s/g, '').replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`
