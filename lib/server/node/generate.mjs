// Generates the Prisma client into prisma/generated, and copies the browser's part of WebAuthn to public/; also the postinstall
// script. What is not installed is not generated, and that is not a failure: the CLI of Prisma is a development dependency.
import './launch/node-version.mjs'
import { existsSync } from 'node:fs'
import { copyFile, readFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { inRoot } from './launch/root.mjs'
import { succeed } from './launch/run.mjs'
import { hashFiles, isCurrent, markCurrent } from './launch/stamp.mjs'
import { launch, step } from './launch/step.mjs'

const cli = inRoot('node_modules', 'prisma', 'build', 'index.js')
const schema = inRoot('prisma', 'schema.prisma')
const stamp = inRoot('prisma', 'generated', '.stamp')

const library = inRoot('node_modules', '@simplewebauthn', 'browser', 'dist', 'bundle', 'index.umd.min.js')

export async function ensureGenerated() {
  if (existsSync(library)) await copyFile(library, inRoot('public', 'simplewebauthn.js'))
  await ensureClient()
}

async function ensureClient() {
  if (!existsSync(cli) || !existsSync(schema)) return
  const hash = await hashFiles([schema, inRoot('node_modules', 'prisma', 'package.json')])
  if (await isCurrent(stamp, hash)) return
  await step('Generating the database client', generate)
  await markCurrent(stamp, hash)
}

/** The CLI would download an engine that `generate` does not use; a path to any executable prevents the download. */
async function generate() {
  const args = [cli, 'generate', '--schema', schema]
  const env = {
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  }
  await succeed('The database client could not be generated:', process.execPath, args, env)
  await readFile(inRoot('prisma', 'generated', 'client.ts'))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await launch(ensureGenerated)
