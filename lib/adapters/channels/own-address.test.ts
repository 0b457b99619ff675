import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { makePartner } from '../../testing/saml'
import { askOwnAddress } from './own-address'

let server: Server
let url: string

beforeAll(async () => {
  const { certificatePem, privatePem } = await makePartner()
  server = createServer({ cert: certificatePem, key: privatePem }, (_incoming, response) =>
    response.writeHead(200, { connection: 'close' }).end(JSON.stringify({ issuer: 'https://id.test/' })),
  )
  server.on('tlsClientError', () => {})
  await once(server.listen(0, '127.0.0.1'), 'listening')
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  vi.unstubAllEnvs()
  server.close()
  await once(server, 'close')
})

it('says what is wrong with a certificate', async () => {
  expect(await askOwnAddress(url)).toMatchObject({
    outcome: 'failed',
    reason: expect.stringContaining('its TLS certificate'),
  })
})

it('reads the certificate each time it is called', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  const first = await askOwnAddress(url)
  expect(first).toMatchObject({ outcome: 'answered', certificate: { ends: expect.any(Date) } })
  expect(await askOwnAddress(url)).toEqual(first)
  expect(await askOwnAddress(url)).toEqual(first)
})
