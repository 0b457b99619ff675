// One server with applications and providers on third-party libraries, each in a separate process (e2e/federation.yaml,
// e2e/interop/apps). Only the processes that a test needs are started.
import { fileURLToPath } from 'node:url'
import { freePort } from '../../../lib/testing/free-port.mjs'
import { type AppProcess, startAppProcess } from './app-process'
import { type Credentials, makeCredentials } from './certificates'
import { makeDataDir } from './data-dir'
import { serviceProvider } from './saml-partner'
import { startServer } from './server-process'

const NAMES = ['chart', 'compass', 'logbook', 'tower', 'guild', 'mill', 'pier'] as const
export type Name = (typeof NAMES)[number]

export type Federation = {
  url: string
  /** PEM, the format for service providers. */
  certificate: string
  origins: Record<Name, string>
  start(...names: Name[]): Promise<void>
  end(): Promise<void>
}

type World = Pick<Federation, 'url' | 'certificate' | 'origins'> & {
  ports: Record<Name, number>
  credentials: Record<Name, Credentials>
}

const forEach = async <T>(make: (name: Name) => T | Promise<T>): Promise<Record<Name, T>> =>
  Object.fromEntries(await Promise.all(NAMES.map(async (name) => [name, await make(name)]))) as Record<Name, T>

/** `originOf` returns the origin of an app in browsers: under `localhost`, as the server, or on a separate site. */
export async function startFederation(originOf = (_name: Name, port: number) => local(port)): Promise<Federation> {
  const ports = await forEach(() => freePort())
  const credentials = await forEach(makeCredentials)
  const origins = await forEach((name) => originOf(name, ports[name]))
  const data = await makeDataDir()
  const settings = { ...settingsFor({ ports, credentials, origins }), LATCHKEY_DATA_DIR: data.path }
  const server = await startServer(settings).catch(async (error: unknown) => {
    await data.remove()
    throw error
  })
  const certificate = await (await fetch(`${server.url}/pem`)).text()
  const running: AppProcess[] = []
  const world = { url: server.url, certificate, origins, ports, credentials }
  return {
    ...world,
    async start(...names) {
      await Promise.all(names.map(async (name) => running.push(await APPS[name](world))))
    },
    async end() {
      await Promise.all(running.map((app) => app.end()))
      await server.end('SIGTERM')
      await data.remove()
    },
  }
}

const local = (port: number): string => `http://localhost:${port}`

const settingsFor = ({ ports, credentials, origins }: Pick<World, 'ports' | 'credentials' | 'origins'>) => ({
  LATCHKEY_CONFIG: fileURLToPath(new URL('../../federation.yaml', import.meta.url)),
  LATCHKEY_ALLOW_PRIVATE_TARGETS: '1',
  E2E_CHART: origins.chart,
  E2E_CHART_CERTIFICATE: credentials.chart.cert,
  E2E_COMPASS: origins.compass,
  E2E_COMPASS_CERTIFICATE: credentials.compass.cert,
  E2E_LOGBOOK: origins.logbook,
  E2E_TOWER: origins.tower,
  E2E_GUILD: origins.guild,
  E2E_GUILD_METADATA: `${local(ports.guild)}/metadata`,
  E2E_MILL: origins.mill,
  E2E_MILL_METADATA: `${local(ports.mill)}/FederationMetadata/2007-06/FederationMetadata.xml`,
  E2E_PIER: local(ports.pier),
})

const APPS: Record<Name, (world: World) => Promise<AppProcess>> = {
  chart: (world) =>
    run('chart', 'saml-app.mjs', world, {
      identityProvider: `${world.url}/samlp/e2e-chart`,
      certificate: world.certificate,
      entityId: 'urn:chart',
    }),
  compass: (world) =>
    run('compass', 'samlify-app.mjs', world, {
      metadataUrl: `${world.url}/samlp/metadata/e2e-compass`,
      entityId: 'urn:compass',
    }),
  logbook: (world) =>
    run('logbook', 'wsfed-app.mjs', world, {
      server: world.url,
      certificate: world.certificate,
      realm: 'urn:harbour:logbook',
    }),
  tower: (world) =>
    run('tower', 'express-app.mjs', world, {
      issuer: world.url,
      options: {
        clientID: 'e2e-told',
        clientSecret: 'e2e-told-secret-of-the-signal',
        authorizationParams: { response_type: 'code' },
      },
    }),
  async guild(world) {
    const encrypted = {
      encryptionAlgorithm: 'http://www.w3.org/2009/xmlenc11#aes256-gcm',
      disallowEncryptionWithInsecureAlgorithm: true,
      signResponse: true,
    }
    const [guild, vault, bell] = await Promise.all(
      ['guild', 'vault', 'bell'].map((name) => serviceProvider(world.url, name)),
    )
    const { certificate: encryptionCert, publicKey: encryptionPublicKey } = vault ?? {}
    return run('guild', 'saml-provider.mjs', world, {
      entityId: 'urn:guild',
      serviceProviders: {
        guild,
        bell,
        vault: { ...vault, options: { ...encrypted, encryptionCert, encryptionPublicKey } },
      },
    })
  },
  mill: (world) =>
    run('mill', 'wsfed-provider.mjs', world, {
      entityId: 'urn:mill',
      realm: 'urn:mill:harbour',
      reply: `${world.url}/login/callback`,
      goodbye: `${world.url}/logout/callback`,
    }),
  pier: (world) =>
    run('pier', 'oidc-provider.mjs', world, {
      clients: [
        {
          client_id: 'latchkey',
          client_secret: 'what-the-pier-gave-to-the-harbour',
          redirect_uris: [`${world.url}/login/callback`],
          post_logout_redirect_uris: [`${world.url}/logout/callback`],
        },
      ],
    }),
}

function run(name: Name, script: string, { ports, origins, credentials }: World, settings: object) {
  return startAppProcess(script, ports[name], { origin: origins[name], own: credentials[name], ...settings })
}
