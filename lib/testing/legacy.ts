// A user database elsewhere, behind HTTP, and the scripts of a custom database that ask it.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sealValues } from '../data/connections/upstream/secrets'
import type { JsonObject } from '../kernel/json'
import type { TestServer } from './server'

export type LegacyPerson = JsonObject & { user_id: string; email: string; password: string }

export type Legacy = {
  /** Of `configuration`. */
  url: string
  people: LegacyPerson[]
  /** What the scripts called, in order: `login kim@mail.test`. */
  calls: string[]
  close(): void
}

export async function openLegacy(): Promise<Legacy> {
  const people: LegacyPerson[] = []
  const calls: string[] = []
  const find = (email: unknown) => people.find((each) => each.email === email || each.username === email)
  const shown = ({ password: _, ...person }: LegacyPerson): JsonObject => person
  const answers: Record<string, (body: JsonObject) => [status: number, body: JsonObject]> = {
    login({ email, password }) {
      const person = find(email)
      return person?.password === password && person ? [200, shown(person)] : [401, {}]
    },
    get_user({ email }) {
      const person = find(email)
      return person ? [200, shown(person)] : [404, {}]
    },
    create({ user }) {
      const made = user as LegacyPerson
      if (find(made.email)) return [409, {}]
      people.push({
        user_id: `legacy-${people.length + 1}`,
        email: made.email,
        password: made.password,
        email_verified: false,
      })
      return [200, {}]
    },
    change({ email, values }) {
      const person = find(email)
      if (person) Object.assign(person, values)
      return [person ? 200 : 404, {}]
    },
    remove({ id }) {
      const place = people.findIndex(({ user_id }) => user_id === id)
      if (place >= 0) people.splice(place, 1)
      return [200, {}]
    },
  }
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = JSON.parse(Buffer.concat(parts).toString('utf8')) as JsonObject
    const name = (request.url ?? '').slice(1)
    calls.push(`${name} ${JSON.stringify(body.email ?? body.id ?? (body.user as JsonObject | undefined)?.email)}`)
    const [status, answer] = answers[name]?.(body) ?? [404, {}]
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, people, calls, close: () => void server.close() }
}

/** Adds the custom database; its scripts have the address of the service in `configuration`. */
export async function addLegacy(
  server: TestServer,
  { url }: Legacy,
  options: JsonObject,
  name = 'Legacy',
): Promise<void> {
  const values = { URL: url, KEY: 'hush-of-the-configuration' }
  const { shown, sealed } = sealValues('configuration', values, {}, server.vault, server.random)
  const settings = { options: { enabledDatabaseCustomization: true, configuration: shown, ...options }, sealed }
  await server.addConnection(name, settings as never, `con_${name.toLowerCase()}`)
}

const CALL = `
  const call = async (path, body) => {
    const answer = await fetch(configuration.URL + path, { method: 'POST', body: JSON.stringify(body) })
    return { status: answer.status, body: await answer.json() }
  }`

const change = (values: string): string => `${CALL}
  const { status } = await call('/change', { email, values: ${values} })
  return status === 200`

/** Some with a callback, some as promises. */
export const LEGACY_SCRIPTS = {
  login: `function login(email, password, callback) {${CALL}
  call('/login', { email, password }).then(({ status, body }) =>
    status === 200 ? callback(null, body) : callback(new WrongUsernameOrPasswordError(email, 'wrong')), callback)
}`,
  get_user: `async function getByEmail(email) {${CALL}
  const { status, body } = await call('/get_user', { email })
  return status === 200 ? body : null
}`,
  create: `function create(user, callback) {${CALL}
  call('/create', { user }).then(({ status }) =>
    status === 200 ? callback(null) : callback(new ValidationError('user_exists', 'is there')), callback)
}`,
  verify: `async function verify(email) {${change('{ email_verified: true }')} }`,
  change_password: `async function changePassword(email, password) {${change('{ password }')} }`,
  change_email: `async function changeEmail(email, newEmail, verified) {${change('{ email: newEmail, email_verified: verified }')} }`,
  change_username: `async function changeUsername(email, username) {${change('{ username }')} }`,
  change_phone_number: `async function changePhoneNumber(email, phone_number, phone_verified) {${change('{ phone_number, phone_verified }')} }`,
  delete: `function remove(id, callback) {${CALL}
  call('/remove', { id }).then(() => callback(null), callback)
}`,
}
