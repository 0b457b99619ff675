// Stores the file of an import while it arrives, in sealed parts of whole entries. Memory holds one part.
import { createHash } from 'node:crypto'
import type { Random } from '../../kernel/random'
import type { Vault } from '../../kernel/secret'
import { createEntryReader, UnreadableFile } from './entry-reader'
import { ENTRIES_IN_PART, PART_PURPOSE } from './job'

export type UploadedEntries = { entries: number; digest: string }

type UploadDeps = { vault: Vault; random: Random; addPart(number: number, sealed: Uint8Array): Promise<void> }

/** In characters. */
export const PART_SIZE = 512 * 1024

export async function storeUpload(file: AsyncIterable<Uint8Array>, deps: UploadDeps): Promise<UploadedEntries> {
  const reader = createEntryReader()
  const hash = createHash('sha256')
  let part: string[] = []
  let size = 0
  let parts = 0
  let entries = 0

  async function flush(): Promise<void> {
    const text = `[${part.join(',')}]`
    part = []
    size = 0
    await deps.addPart(parts, deps.vault.seal(PART_PURPOSE, text, deps.random))
    parts += 1
  }

  async function add(texts: readonly string[]): Promise<void> {
    for (const text of texts) {
      part.push(text)
      size += text.length
      entries += 1
      if (part.length === ENTRIES_IN_PART || size > PART_SIZE) await flush()
    }
  }

  for await (const chunk of file) {
    hash.update(chunk)
    await add(reader.push(chunk))
  }
  await add(reader.end())
  if (entries === 0) throw new UnreadableFile('The file holds no users')
  if (part.length > 0) await flush()
  return { entries, digest: hash.digest('hex') }
}
