// A form of the portal that has a file: its texts, and the picture up to one byte more than it may have. The rest of a larger file is read
// and forgotten, so that the browser gets to see the answer.
import { isMultipart } from '../../http/headers'
import type { HttpRequest } from '../../http/message'
import { MAX_PICTURE_BYTES } from '../../identity/pictures/picture-file'
import type { Form } from '../../management/operations/operation'

export type PortalForm = { input: Record<string, string>; file: Uint8Array | null }

type Received = { bytes: Uint8Array; discard(): Promise<void> }

const FORM: Form<null, Received> = {
  files: { picture: receive },
  /** More than a photograph of a telephone has. */
  maxBytes: () => 32 * 1024 * 1024,
}

export const isUpload = ({ method, headers }: Pick<HttpRequest, 'method' | 'headers'>): boolean =>
  method === 'POST' && isMultipart(headers)

export async function readUpload(request: Pick<HttpRequest, 'headers' | 'stream'>): Promise<PortalForm> {
  // Its parser is loaded with the first form that has a file.
  const { readForm } = await import('../management-http/form')
  const { members } = await readForm(request, FORM, null)
  const { picture, ...texts } = members
  const isText = (entry: [string, string | Received]): entry is [string, string] => typeof entry[1] === 'string'
  return {
    input: Object.fromEntries(Object.entries(texts).filter(isText)),
    file: typeof picture === 'object' ? picture.bytes : null,
  }
}

async function receive(file: AsyncIterable<Uint8Array>): Promise<Received> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of file) {
    if (size <= MAX_PICTURE_BYTES) chunks.push(chunk)
    size += chunk.length
  }
  return { bytes: Buffer.concat(chunks), discard: async () => {} }
}
