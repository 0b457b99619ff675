import { inRoot } from './root.mjs'
import { LaunchError } from './step.mjs'

/** Reads .env where there is one; what the environment already has wins. */
export function loadEnvFile() {
  try {
    process.loadEnvFile(inRoot('.env'))
  } catch (error) {
    if (error.code !== 'ENOENT')
      throw new LaunchError(`The file .env cannot be read (${error.code}): mend or remove it.`)
  }
}
