// The environment as tools deliver it: shells, `docker --env-file`, Kubernetes, secret stores, editors of other systems.
// - White space, a line break or a byte order mark around a value, and one pair of quotes around it, are not part of it.
// - Kubernetes injects variables for each Service of a namespace. A Service named `latchkey` or `latchkey-…` gives names that look like
//   settings; exactly those are left out, by the shape of their name and of their value.
// - A reference that a secret store did not resolve is no value.
import { isIP } from 'node:net'
import { isJsonObject } from '../kernel/json'

type Source = Readonly<Record<string, string | undefined>>

/** A value without what is around it. */
export function bareValue(value: string): string {
  const bare = value.trim()
  const quoted = /^(["'])(.*)\1$/s.exec(bare)
  return (quoted?.[2] ?? bare).trim()
}

/** Of a switch that is read before the other settings. */
export const isOn = (value: string | undefined): boolean => /^(?:1|true)$/i.test(bareValue(value ?? ''))

/** The variables that have a value and that Kubernetes did not inject, as they were delivered. */
export const givenVariables = (source: Source): Record<string, string> =>
  Object.fromEntries(
    Object.entries(source)
      .filter((pair): pair is [string, string] => pair[1] !== undefined && bareValue(pair[1]) !== '')
      // The byte order mark of an env file is then part of its first name.
      .map(([name, value]): [string, string] => [name.trim(), value])
      .filter(([name, value]) => !isServiceVariable(name, value)),
  )

type Judge = (value: string, port?: string, protocol?: string) => boolean

/**
 * https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables, which has Docker's names of links as well. A
 * name may have several of the shapes, because the name of a Service may end like one.
 */
const SERVICE_VARIABLES: readonly [name: RegExp, isValue: Judge][] = [
  [/_SERVICE_HOST$/, (value) => isIP(value) !== 0],
  [/_SERVICE_PORT(?:_[A-Z0-9_]+)?$/, (value) => isPort(value)],
  [/_PORT$/, (value) => isServiceAddress(value)],
  [/_PORT_(\d+)_(TCP|UDP|SCTP)$/, isServiceAddress],
  [/_PORT_(\d+)_(TCP|UDP|SCTP)_PROTO$/, (value, _port, protocol) => value === protocol?.toLowerCase()],
  [/_PORT_(\d+)_(?:TCP|UDP|SCTP)_PORT$/, (value, port) => value === port && isPort(value)],
  [/_PORT_\d+_(?:TCP|UDP|SCTP)_ADDR$/, (value) => isIP(value) !== 0],
]

const isServiceVariable = (name: string, value: string): boolean =>
  /^LATCHKEY_/.test(name) &&
  SERVICE_VARIABLES.some(([shape, isValue]) => {
    const [found, port, protocol] = shape.exec(name) ?? []
    return found !== undefined && isValue(value, port, protocol)
  })

const isPort = (value: string): boolean => /^[1-9]\d{0,4}$/.test(value) && Number(value) <= 65_535

/** Such as `tcp://10.0.0.1:3000`, of the port and protocol where the name has them. Addresses of IPv6 come with and without brackets. */
function isServiceAddress(value: string, ofPort?: string, ofProtocol?: string): boolean {
  const [, protocol, address = '', port = ''] = /^(tcp|udp|sctp):\/\/\[?([^[\]/]+?)\]?:(\d+)$/.exec(value) ?? []
  if (isIP(address) === 0 || !isPort(port)) return false
  return ofPort === undefined || (port === ofPort && protocol === ofProtocol?.toLowerCase())
}

/**
 * How references to secret stores begin: shells and templates, Azure, Bank-Vaults, 1Password, AWS, Google Cloud, vals, Doppler. A value
 * that begins so was passed on without being looked up.
 */
const REFERENCE =
  /^(\$\{|\$\(|\{\{|<%|@Microsoft\.(KeyVault|AppConfiguration)\(|(aws-?|gcp-?|azure-?)?(vault|kv|sm|ssm|secretsmanager|secretref):|(op|bw|doppler|infisical|akeyless|keyvault|awssm|awsps|gcpsm|azurekeyvault):\/\/|arn:aws|ref\+|projects\/[^/\s]+\/secrets\/)/i

/** A variable inside a value, as Kubernetes and Compose leave one that they do not know. */
const PLACEHOLDER = /\$(?:\(\w+\)|\{\w+\})/

/** What is wrong with a value whatever it is for, or null. The sentence goes on from the variable's name. */
export function deliveryProblem(value: string): string | null {
  if (REFERENCE.test(value) || PLACEHOLDER.test(value)) return 'holds a reference that was not replaced by its value'
  return isJsonObject(parsed(value)) ? 'holds a JSON object: give it one value of that object' : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
