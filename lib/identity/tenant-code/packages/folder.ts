// The empty folder in which one build happens.
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { notHere } from './failure'

export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-packages-')).catch(() => {
    throw notHere('its temporary folder cannot be written')
  })
  try {
    return await work(await realpath(folder))
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
