// The output of `vercel build`, created without an account: the CLI from npm, and hand-written project settings in place of
// those of a linked project.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inRoot, root } from '../../../lib/server/node/launch/root.mjs'
import { succeed } from '../../../lib/server/node/launch/run.mjs'
import { step } from '../../../lib/server/node/launch/step.mjs'

export const CLI_VERSION = '64.0.2'

/** A registry may not have the requested release of a part that no build needs. */
const CLI = { private: true, dependencies: { vercel: CLI_VERSION }, overrides: { sandbox: '4.5.0' } }

const SETTINGS = { framework: 'nextjs', installCommand: 'true', nodeVersion: '20.x', createdAt: 1_700_000_000_000 }

const run = promisify(execFile)

/** The folder of a project whose `.vercel/output` is built. */
export async function buildProject() {
  const cli = await ensureCli()
  const folder = await copyCheckout()
  await step('Building for Vercel', async () => {
    await succeed(
      "Vercel's output could not be built:",
      process.execPath,
      [cli, 'build', '--prod', '--yes', '--token', 'none', '--cwd', folder],
      // A separate home folder: no account, and nothing remains afterwards.
      { HOME: join(folder, '.vercel'), VERCEL_TELEMETRY_DISABLED: '1', NEXT_TELEMETRY_DISABLED: '1' },
    )
  })
  return folder
}

async function ensureCli() {
  const folder = inRoot('test-results', 'hosts', `vercel-${CLI_VERSION}`)
  const cli = join(folder, 'node_modules', 'vercel', 'dist', 'vc.js')
  if (existsSync(cli)) return cli
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), JSON.stringify(CLI))
  await step('Installing the command-line program of Vercel', () =>
    run('npm', ['install', '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund'], { cwd: folder }),
  )
  return cli
}

/** Tracked and new files with their packages, outside the checkout, so that nothing else can be resolved from there. */
async function copyCheckout() {
  const folder = await mkdtemp(join(tmpdir(), 'latchkey-vercel-'))
  const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', '.', ':!bench', ':!e2e']
  const { stdout } = await run('git', listed, { cwd: root, maxBuffer: 1 << 26 })
  const files = stdout.split('\0').filter((file) => file !== '' && existsSync(join(root, file)))
  await run('cp', ['--parents', '-t', folder, ...new Set(files)], { cwd: root })
  await run('cp', ['-al', 'node_modules', folder], { cwd: root }).catch(() =>
    run('cp', ['-a', 'node_modules', folder], { cwd: root }),
  )
  await mkdir(join(folder, '.vercel'))
  const project = { projectId: 'prj_latchkey', orgId: 'team_latchkey', settings: SETTINGS }
  await writeFile(join(folder, '.vercel', 'project.json'), JSON.stringify(project))
  return folder
}
