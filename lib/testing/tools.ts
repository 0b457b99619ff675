// System programs that tests use where they are installed (.ci/run installs them).
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export function hasTool(name: string): boolean {
  try {
    execFileSync('sh', ['-c', `command -v ${name}`], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const SCHEMAS = '/usr/share/xml/opensaml'
const MORE_SCHEMAS = '/usr/share/xml/xmltooling'

/** The packages' own catalogs are by namespace, but the schemas refer to each other by these addresses. */
const CATALOG = `<catalog xmlns="urn:oasis:names:tc:entity:xmlns:xml:catalog">
<system systemId="http://www.w3.org/TR/2002/REC-xmldsig-core-20020212/xmldsig-core-schema.xsd" uri="file://${MORE_SCHEMAS}/xmldsig-core-schema.xsd"/>
<system systemId="http://www.w3.org/TR/xmldsig-core/xmldsig-core-schema.xsd" uri="file://${MORE_SCHEMAS}/xmldsig-core-schema.xsd"/>
<system systemId="http://www.w3.org/TR/2002/REC-xmlenc-core-20021210/xenc-schema.xsd" uri="file://${MORE_SCHEMAS}/xenc-schema.xsd"/>
<system systemId="http://www.w3.org/2001/xml.xsd" uri="file://${MORE_SCHEMAS}/xml.xsd"/>
</catalog>`

export const hasSamlSchemas = (): boolean => hasTool('xmllint') && existsSync(SCHEMAS) && existsSync(MORE_SCHEMAS)

const SCHEMA_FILES = {
  protocol: 'saml-schema-protocol-2.0.xsd',
  metadata: 'saml-schema-metadata-2.0.xsd',
  assertion: 'saml-schema-assertion-2.0.xsd',
  assertion11: 'cs-sstc-schema-assertion-1.1.xsd',
}

/** The errors of the document against the published schema; empty where it is valid. */
export const schemaProblems = (xml: string, schema: keyof typeof SCHEMA_FILES): string =>
  inFolder({ 'catalog.xml': CATALOG, 'document.xml': xml }, (folder) => {
    const args = ['--nonet', '--noout', '--schema', `${SCHEMAS}/${SCHEMA_FILES[schema]}`]
    const env = { NODE_ENV: 'test' as const, PATH: '/usr/bin:/bin', XML_CATALOG_FILES: join(folder, 'catalog.xml') }
    const { status, stderr } = spawnSync('xmllint', [...args, join(folder, 'document.xml')], { env })
    return status === 0 ? '' : stderr.toString()
  })

/** Whether xmlsec1 accepts the first signature, over the element named `idOf`. */
export const xmlsecHolds = (xml: string, idOf: string, certificatePem: string): boolean =>
  inFolder({ 'signed.xml': xml, 'certificate.pem': certificatePem }, (folder) => {
    const ids = ['ID', 'AssertionID'].flatMap((name) => [`--id-attr:${name}`, idOf])
    const args = ['--verify', ...ids, '--pubkey-cert-pem', join(folder, 'certificate.pem')]
    return spawnSync('xmlsec1', [...args, join(folder, 'signed.xml')]).status === 0
  })

/** The document signed by xmlsec1, which fills in its signature template; `idOf` names the element that is signed. */
export const xmlsecSigned = (xml: string, idOf: string, privatePem: string): string =>
  inFolder({ 'template.xml': xml, 'key.pem': privatePem }, (folder) => {
    const ids = ['ID', 'AssertionID'].flatMap((name) => [`--id-attr:${name}`, idOf])
    const args = ['--sign', ...ids, '--privkey-pem', join(folder, 'key.pem'), join(folder, 'template.xml')]
    const output = execFileSync('xmlsec1', args, { stdio: ['ignore', 'pipe', 'ignore'] }).toString()
    return output.replace(/^<\?xml[^>]*\?>\s*/, '')
  })

function inFolder<T>(files: Record<string, string>, use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'latchkey-xml-'))
  try {
    for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
    return use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
