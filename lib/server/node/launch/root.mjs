import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The root of the checkout. Launchers work there, whatever folder they were called in. */
export const root = fileURLToPath(new URL('../../../..', import.meta.url))

/** @param {string[]} parts */
export const inRoot = (...parts) => join(root, ...parts)
