// Reads a multipart form (RFC 7578) as it arrives: texts are members of the body, a file is taken in by its operation.
import { pipeline } from 'node:stream/promises'
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import { isMultipart } from '../../http/headers'
import type { HttpRequest } from '../../http/message'
import { DomainError } from '../../kernel/errors'
import { isStorable } from '../../kernel/json'
import { invalidBody } from '../../management/operations/errors'
import type { Form, ReceivedFile } from '../../management/operations/operation'

/** What its operation keeps of a file. */
type Kept = Pick<ReceivedFile, 'discard'>

export type ReadForm<File extends Kept = ReceivedFile> = {
  members: Record<string, string | File>
  /** Removes files of which the operation made no use. */
  discard(): Promise<void>
}

const LIMITS = { files: 1, fields: 20, fieldSize: 4096, headerPairs: 20, headerSize: 4096 }

export async function readForm<Deps, File extends Kept = ReceivedFile>(
  { headers, stream }: Pick<HttpRequest, 'headers' | 'stream'>,
  { files, maxBytes }: Form<Deps, File>,
  deps: Deps,
): Promise<ReadForm<File>> {
  if (!stream || !isMultipart(headers)) throw new DomainError('unsupported_media_type', 'Send multipart/form-data')
  const members: ReadForm<File>['members'] = {}
  const arriving: BusboyFileStream[] = []
  const receiving: Promise<void>[] = []
  const discard = async (): Promise<void> => {
    for (const member of Object.values(members)) if (typeof member !== 'string') await member.discard()
  }
  const parser = parserOf(headers['content-type'] ?? '')
  // The first error counts. Others may follow after the pipeline has ended.
  parser.on('error', ignore)
  let failure: unknown
  const fail = (error: unknown): void => {
    failure ??= error
    parser.destroy()
    for (const file of arriving) file.destroy()
  }
  const put = (name: string, value: string | File): void => {
    if (name === '__proto__') fail(invalidBody('A property has a name that cannot be stored'))
    else if (Object.hasOwn(members, name)) fail(invalidBody('A field occurs twice'))
    else members[name] = value
  }
  parser.on('field', (name, value, isNameCut, isCut) => {
    if (isNameCut || isCut) fail(invalidBody('A text of the form is too long'))
    else if (!isStorable(value)) fail(invalidBody('A text holds a character that cannot be stored'))
    else put(name, value)
  })
  parser.on('file', (name, file) => {
    const receive = Object.hasOwn(files, name) ? files[name] : undefined
    arriving.push(file)
    file.on('error', ignore)
    if (receive) receiving.push(receive(bytesOf(file), deps).then((received) => put(name, received), fail))
    else fail(invalidBody(`Additional properties not allowed: ${name}`))
  })
  for (const limit of ['filesLimit', 'fieldsLimit'] as const)
    parser.on(limit, () => fail(invalidBody('The form has too many fields')))
  await pipeline(bounded(stream, maxBytes(deps)), parser).catch((error: unknown) =>
    fail(error instanceof DomainError ? error : malformed()),
  )
  await Promise.all(receiving)
  if (failure === undefined) return { members, discard }
  await discard()
  throw failure
}

const malformed = (): DomainError => invalidBody('The body is not a valid form')

const ignore = (): void => {}

async function* bytesOf(file: BusboyFileStream): AsyncGenerator<Uint8Array> {
  try {
    yield* file
  } catch {
    throw malformed()
  }
}

function parserOf(type: string): BusboyInstance {
  try {
    return new Busboy({ headers: { 'content-type': type }, limits: LIMITS })
  } catch {
    throw malformed()
  }
}

async function* bounded(stream: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const chunk of stream) {
    size += chunk.length
    if (size > most)
      throw new DomainError('payload_too_large', `The form has more than ${Math.floor(most / 1024 / 1024)} MB`)
    yield chunk
  }
}
