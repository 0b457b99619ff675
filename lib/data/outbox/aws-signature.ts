// AWS Signature Version 4 of a POST with a JSON body
// (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html).
import { createHmac } from 'node:crypto'
import { digestHex } from '../../kernel/secret'

export type AwsKey = { accessKeyId: string; secretAccessKey: string; region: string }

type Unsigned = { url: string; type: string; body: string; service: string; at: Date }

/** The headers that sign the request. */
export function signAws({ url, type, body, service, at }: Unsigned, key: AwsKey): Record<string, string> {
  const { host, pathname } = new URL(url)
  const time = at.toISOString().replace(/[-:]|\.\d{3}/g, '')
  const date = time.slice(0, 8)
  const scope = `${date}/${key.region}/${service}/aws4_request`
  const signed = 'content-type;host;x-amz-date'
  const headers = `content-type:${type}\nhost:${host}\nx-amz-date:${time}\n`
  const canonical = ['POST', pathname, '', headers, signed, digestHex(body)].join('\n')
  const text = ['AWS4-HMAC-SHA256', time, scope, digestHex(canonical)].join('\n')
  const derived = [date, key.region, service, 'aws4_request'].reduce<string | Buffer>(
    hmac,
    `AWS4${key.secretAccessKey}`,
  )
  const signature = hmac(derived, text).toString('hex')
  return {
    'x-amz-date': time,
    authorization: `AWS4-HMAC-SHA256 Credential=${key.accessKeyId}/${scope}, SignedHeaders=${signed}, Signature=${signature}`,
  }
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
