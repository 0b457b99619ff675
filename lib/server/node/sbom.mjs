// `npm run --silent sbom > sbom.json`: the packages of production in package-lock.json as a CycloneDX document. `npm sbom --omit=dev` of npm
// 11 leaves out every package that a development package needs too: zod, react and jose among them.
import './launch/node-version.mjs'
import { readFile } from 'node:fs/promises'
import { ensureDependencies } from './launch/dependencies.mjs'
import { inRoot } from './launch/root.mjs'
import { launch } from './launch/step.mjs'

/** @typedef {{ name?: string, version: string, license?: string, integrity?: string, optional?: boolean, dependencies?: object, optionalDependencies?: object, peerDependencies?: object, peerDependenciesMeta?: object }} LockedPackage */

const FOLDER = 'node_modules/'

async function writeBill() {
  await ensureDependencies({ development: true })
  const cyclonedx = await import('@cyclonedx/cyclonedx-library')
  const { packages } = JSON.parse(await readFile(inRoot('package-lock.json'), 'utf8'))
  const { JSON: json, JsonSerializer } = cyclonedx.Serialize
  const serializer = new JsonSerializer(new json.Normalize.Factory(cyclonedx.Spec.Spec1dot6))
  console.log(serializer.serialize(makeBill(cyclonedx, packages), { sortLists: true, space: 2 }))
}

/** @param {Record<string, LockedPackage>} packages by their folders, the root as '' */
function makeBill(cyclonedx, packages) {
  const { Bom, ComponentRepository, Metadata } = cyclonedx.Models
  /** @type {Map<string, import('@cyclonedx/cyclonedx-library').Models.Component>} */
  const components = new Map()
  const visit = (path) => {
    const known = components.get(path)
    if (known) return known
    const component = makeComponent(cyclonedx, path, packages[path])
    components.set(path, component)
    for (const name of dependenciesOf(packages[path])) {
      const folder = resolve(packages, path, name)
      if (packages[folder]) component.dependencies.add(visit(folder).bomRef)
    }
    return component
  }
  const component = visit('')
  components.delete('')
  return new Bom({ metadata: new Metadata({ component }), components: new ComponentRepository(components.values()) })
}

/** @param {string} path @param {LockedPackage} locked */
function makeComponent({ Contrib, Enums, Models }, path, locked) {
  const { name = path.split(FOLDER).at(-1), version, license, integrity, optional } = locked
  const { Application, Library } = Enums.ComponentType
  const { Optional, Required } = Enums.ComponentScope
  const [unscoped, group] = name.split('/').reverse()
  const component = new Models.Component(path === '' ? Application : Library, unscoped, { group, version })
  component.bomRef.value = path || name
  component.purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
  component.scope = optional ? Optional : Required
  const licenses = new Contrib.License.Factories.LicenseFactory(requireOperator)
  if (license) component.licenses.add(licenses.makeFromString(license))
  if (integrity) component.hashes.set(Enums.HashAlgorithm['SHA-512'], sha512Of(integrity))
  return component
}

/** Without optional peers: a server does not load the tools that a package can work with. @param {LockedPackage} locked */
function dependenciesOf({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }) {
  const peers = Object.keys(peerDependencies ?? {}).filter((name) => !peerDependenciesMeta?.[name]?.optional)
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]
}

/** The folder from which code in the folder `path` loads a package: the nearest one upwards. */
function resolve(packages, path, name) {
  const nested = path === '' ? '' : `${path}/`
  const candidate = `${nested}${FOLDER}${name}`
  if (packages[candidate] || path === '') return candidate
  return resolve(packages, path.slice(0, Math.max(0, path.lastIndexOf(`/${FOLDER}`))), name)
}

const sha512Of = (integrity) => Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')

/** A license without an operator is an identifier of SPDX or free text. */
function requireOperator(license) {
  if (!/ (AND|OR|WITH) /.test(license)) throw new RangeError(`no expression: ${license}`)
}

await launch(writeBill)
