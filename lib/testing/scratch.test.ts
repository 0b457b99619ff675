import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { expect, it, vi } from 'vitest'
import { scratchFolder } from './scratch.mjs'

const disk = vi.hoisted(() => ({ type: 0x01021994, bavail: 2 ** 20, bsize: 4096, missing: false }))

vi.mock('node:fs', async (original) => ({
  ...(await original<typeof import('node:fs')>()),
  accessSync: () => {
    if (disk.missing) throw new Error('ENOENT')
  },
  statfsSync: vi.fn(() => disk),
}))

it.each([
  ['memory with room', {}, '/dev/shm'],
  ['memory without room', { bavail: 2 ** 10 }, tmpdir()],
  ['a folder on a disk', { type: 0xef53 }, tmpdir()],
  ['no such folder', { missing: true }, tmpdir()],
])('databases of tests are in memory if there is room: %s', (_, found, folder) => {
  Object.assign(disk, { type: 0x01021994, bavail: 2 ** 20, bsize: 4096, missing: false }, found)
  expect(scratchFolder()).toBe(folder)
  if (!disk.missing) expect(statfsSync).toHaveBeenCalledWith('/dev/shm')
})
