// A temporary folder of this run, inside the repository so that bundles in it can resolve packages. It is deleted at the end.
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

export async function inFolder(root, name, cleanup, use) {
  const folder = join(root, 'bench', '.data', `${name}-${process.pid}`)
  await mkdir(folder, { recursive: true })
  cleanup.add(() => rm(folder, { recursive: true, force: true }))
  return use(folder)
}
