import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { freePort } from './free-port.mjs'

it('gives ports that can be listened on, each once, none of those that outgoing connections take', async () => {
  const ports = await Promise.all(Array.from({ length: 20 }, () => freePort()))
  expect(new Set(ports).size).toBe(20)
  for (const port of ports) {
    expect(port).toBeLessThan(32_768)
    const server = createServer().listen(port)
    await once(server, 'listening')
    server.close()
  }
})
