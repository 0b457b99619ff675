import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { beforeAll, describe, expect, it } from 'vitest'

type Component = { 'bom-ref': string; group?: string; name: string; version: string; purl: string; hashes?: object[] }
type Dependency = { ref: string; dependsOn?: string[] }
type Bom = { metadata: { component: Component }; components: Component[]; dependencies: Dependency[] }
type Locked = { version: string; dev?: boolean; devOptional?: boolean; optional?: boolean }

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const read = (name: string) => JSON.parse(readFileSync(`${ROOT}${name}`, 'utf8'))

describe('the bill of materials', () => {
  let text: string
  let bom: Bom

  beforeAll(async () => {
    const run = promisify(execFile)(process.execPath, ['lib/server/node/sbom.mjs'], { cwd: ROOT, maxBuffer: 2 ** 26 })
    text = (await run).stdout
    bom = JSON.parse(text)
  })

  it('is a CycloneDX document by the schema of its version', async () => {
    expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: Spec.Version.v1dot6 })
    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)).toBeNull()
  })

  it('describes this version of the server', () => {
    const { name, version } = read('package.json')
    const purl = `pkg:npm/${name}@${version}`
    expect(bom.metadata.component).toMatchObject({ type: 'application', name, version, purl })
  })

  it('has every package of production in its version, and none for development only', () => {
    const packages: Record<string, Locked> = read('package-lock.json').packages
    const required = Object.entries(packages).filter(
      ([path, { dev, devOptional, optional }]) => path !== '' && !dev && !devOptional && !optional,
    )
    const found = new Map(bom.components.map(({ 'bom-ref': path, version }) => [path, version]))
    expect(required.filter(([path, { version }]) => found.get(path) !== version)).toEqual([])
    expect([...found.keys()].filter((path) => packages[path]?.dev)).toEqual([])
    expect([...found.keys()]).toEqual(expect.arrayContaining(['node_modules/zod', 'node_modules/react']))
  })

  it('names every package as the registry does', () => {
    for (const { 'bom-ref': path, group, name, version, purl } of bom.components) {
      const full = group ? `${group}/${name}` : name
      expect(path.endsWith(`node_modules/${full}`)).toBe(true)
      expect(decodeURIComponent(purl)).toBe(`pkg:npm/${full}@${version}`)
    }
  })

  it('names the hash of every package, as the registry gives it', () => {
    expect(bom.components.filter(({ hashes }) => hashes?.length !== 1)).toEqual([])
  })

  it('takes a nested version of a package before the one at the top', () => {
    const { dependsOn } = bom.dependencies.find(({ ref }) => ref === 'node_modules/xml-crypto') ?? {}
    expect(dependsOn).toContain('node_modules/xml-crypto/node_modules/xpath')
  })
})
