// Reads the files that a tenant file names: they must be in its folder or below, and within the size limit of their content.
import { readFile, realpath, stat } from 'node:fs/promises'
import { dirname, resolve, sep } from 'node:path'
import type { ReadSibling } from '../../management/tenant-file/code-files'

const MAX_BYTES = 400_000

export const siblingReader =
  (tenantFile: string): ReadSibling =>
  async (path, maxBytes = MAX_BYTES) => {
    try {
      const folder = await realpath(dirname(resolve(tenantFile)))
      const file = await realpath(resolve(folder, path))
      if (!file.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)) return null
      return (await stat(file)).size <= maxBytes ? await readFile(file, 'utf8') : null
    } catch {
      return null
    }
  }
