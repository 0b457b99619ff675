import { inRoot } from './root.mjs'
import { LaunchError } from './step.mjs'

/** Reads .env if it exists. Variables of the environment have priority. */
export function loadEnvFile() {
  try {
    process.loadEnvFile(inRoot('.env'))
  } catch (error) {
    if (error.code !== 'ENOENT')
      throw new LaunchError(`The file .env cannot be read (${error.code}): mend or remove it.`)
  }
}
