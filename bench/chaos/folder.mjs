// A folder of the run's own, below the repository so that what is bundled there finds its packages; gone afterwards.
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

export async function inFolder(root, name, cleanup, use) {
  const folder = join(root, 'bench', '.data', `${name}-${process.pid}`)
  await mkdir(folder, { recursive: true })
  cleanup.add(() => rm(folder, { recursive: true, force: true }))
  return use(folder)
}
