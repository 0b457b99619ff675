// The files that the host of the repository reads. It ignores a line that it does not understand, or that names nothing.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8')

describe('CODEOWNERS', () => {
  const lines = read('CODEOWNERS')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => line.split(/\s+/))

  it.each(lines.map(([path, ...owners]) => ({ path: path as string, owners })))(
    '$path exists and has an owner',
    ({ path, owners }) => {
      expect(existsSync(join(ROOT, path))).toBe(true)
      expect(owners).not.toEqual([])
      for (const owner of owners) expect(owner).toMatch(/^@[\w-]+(\/[\w-]+)?$/)
    },
  )

  it.each([
    'lib/crypto/keys/keyring.ts',
    'lib/http/cookies.ts',
    'lib/login/finish.ts',
    'lib/protocols/oidc/request.ts',
    'lib/tokens/access-token.ts',
    'prisma/migrations/x/migration.sql',
  ])('%s has an owner', (file) => {
    expect(lines.some(([path]) => `/${file}`.startsWith(path as string))).toBe(true)
  })
})

describe('the workflow of CI', () => {
  type Step = { uses?: string; run?: string; with?: Record<string, unknown> }
  const text = read('.github/workflows/ci.yml')
  const workflow = parse(text)
  const { strategy, container, steps } = workflow.jobs.gate as {
    strategy: { matrix: { node: number[] } }
    container: { image: string }
    steps: Step[]
  }

  it('runs the gate on the oldest supported Node.js, and on that of the image and of .nvmrc', () => {
    const { node } = strategy.matrix
    const oldest = JSON.parse(read('package.json')).engines.node.match(/^>=(\d+)\./)[1]
    const [, image] = read('Dockerfile').match(/^FROM node:(\d+)-/m) ?? []
    expect(node).toEqual([20, 22, 24])
    expect(node[0]).toBe(Number(oldest))
    expect(node).toContain(Number(image))
    expect(read('.nvmrc').trim()).toBe(image)
    expect(container.image).toContain('matrix.node')
    expect(steps.filter(({ run }) => run === '.ci/run')).toHaveLength(1)
  })

  it('may only read, and leaves no token in the checkout', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' })
    expect(Object.keys(workflow.jobs)).toEqual(['gate'])
    const checkout = steps.find(({ uses }) => uses?.startsWith('actions/checkout@'))
    expect(checkout?.with).toMatchObject({ 'persist-credentials': false, 'fetch-depth': 0 })
    expect(text).not.toMatch(/pull_request_target|secrets\./)
  })

  it('names each action by its commit', () => {
    const uses = steps.flatMap((step) => step.uses ?? [])
    expect(uses).not.toEqual([])
    for (const each of uses) expect(each).toMatch(/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/)
  })
})

describe('the update bot', () => {
  const { updates } = parse(read('.github/dependabot.yml')) as {
    updates: { 'package-ecosystem': string; directory: string; groups?: Record<string, { patterns: string[] }> }[]
  }

  it('watches every place that names versions of others', () => {
    const places = updates.map((update) => `${update['package-ecosystem']} ${update.directory}`)
    expect(places).toEqual(['npm /', 'npm /bench', 'docker /', 'docker-compose /', 'github-actions /'])
  })

  it('groups packages that exist', () => {
    const { dependencies, devDependencies } = JSON.parse(read('package.json'))
    const names = Object.keys({ ...dependencies, ...devDependencies })
    const patterns = updates.flatMap(({ groups }) => Object.values(groups ?? {}).flatMap((group) => group.patterns))
    const matches = (pattern: string) => (name: string) =>
      pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
    expect(patterns.filter((pattern) => !names.some(matches(pattern)))).toEqual([])
  })
})

describe('the templates of issues', () => {
  const files = readdirSync(join(ROOT, '.github/ISSUE_TEMPLATE')).filter((name) => name !== 'config.yml')

  it.each(files)('%s has a name, a description and fields with an id each', (file) => {
    const form = parse(read(`.github/ISSUE_TEMPLATE/${file}`))
    expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) })
    const fields = (form.body as { type: string; id?: string }[]).filter(({ type }) => type !== 'markdown')
    expect(fields.map(({ id }) => typeof id)).toEqual(fields.map(() => 'string'))
    expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length)
  })
})
