// `dns`: look-ups of the host, which judges their answers.
import { failing } from './failing.js'
import { isIP } from './net.js'

/** The codes that the host's look-ups fail with, as Node.js names them. */
const CODES = {
  ...{ NODATA: 'ENODATA', FORMERR: 'EFORMERR', SERVFAIL: 'ESERVFAIL', NOTFOUND: 'ENOTFOUND', NOTIMP: 'ENOTIMP' },
  ...{
    REFUSED: 'EREFUSED',
    BADNAME: 'EBADNAME',
    CONNREFUSED: 'ECONNREFUSED',
    TIMEOUT: 'ETIMEOUT',
    CANCELLED: 'ECANCELLED',
  },
}
const RECORDS = ['A', 'AAAA', 'SRV', 'TXT']

/** Returns the module. */
export function dnsOf(sys) {
  const from = (syscall, name, { message, code }) =>
    Object.assign(failing(`${syscall} ${code} ${name}: ${message}`, code), { errno: code, syscall, hostname: name })
  const ask = (syscall, operation, args) =>
    sys.begin(operation, args).done.then(
      ({ value }) => value,
      (error) => Promise.reject(from(syscall, args.name, error)),
    )

  async function find(name, family) {
    const kind = isIP(name)
    if (kind !== 0) return [{ address: name, family: kind }]
    return ask('getaddrinfo', 'dns.lookup', { name, family })
  }
  const familyOf = (family) => ({ 4: 4, 6: 6, IPv4: 4, IPv6: 6 })[family] ?? 0
  async function lookup(name, given) {
    const options = typeof given === 'object' && given !== null ? given : { family: given }
    if (!name) return options.all ? [] : { address: null, family: options.family === 6 ? 6 : 4 }
    const all = await find(`${name}`, familyOf(options.family))
    return options.all ? all : all[0]
  }
  const addresses = (syscall, family) => async (name, options) => {
    const all = await ask(syscall, 'dns.lookup', { name: `${name}`, family })
    return all.map(({ address }) => (options?.ttl ? { address, ttl: 0 } : address))
  }
  const absent = (name) => () =>
    Promise.reject(failing(`${name} ENOTIMP: actions look up ${RECORDS.join(', ')} records`, CODES.NOTIMP))

  const own = {
    resolve4: addresses('queryA', 4),
    resolve6: addresses('queryAaaa', 6),
    resolveSrv: (name) => ask('querySrv', 'dns.services', { name: `${name}` }),
    resolveTxt: (name) => ask('queryTxt', 'dns.texts', { name: `${name}` }),
    resolve: (name, type = 'A') =>
      ({ A: own.resolve4, AAAA: own.resolve6, SRV: own.resolveSrv, TXT: own.resolveTxt })[type]?.(name) ??
      absent(`query${type}`)(),
    ...Object.fromEntries(
      ['Any', 'Caa', 'Cname', 'Mx', 'Naptr', 'Ns', 'Ptr', 'Soa', 'Tlsa'].map((type) => [
        `resolve${type}`,
        absent(`query${type}`),
      ]),
    ),
    reverse: absent('getHostByAddr'),
  }
  const settings = {
    getServers: () => [],
    setServers() {
      throw failing('actions look names up at the resolvers of the server', 'ERR_FEATURE_UNAVAILABLE_ON_PLATFORM')
    },
    cancel() {},
    setLocalAddress() {},
  }
  class PromisesResolver {}
  Object.assign(PromisesResolver.prototype, own, settings)

  /** The last argument is called with the values of the result. */
  const called =
    (ask, spread = (result) => [result]) =>
    (...args) => {
      const callback = args.pop()
      if (typeof callback !== 'function')
        throw failing('The "callback" argument must be of type function', 'ERR_INVALID_ARG_TYPE', TypeError)
      ask(...args).then(
        (result) => process.nextTick(callback, null, ...spread(result)),
        (error) => process.nextTick(callback, error),
      )
    }
  const resolving = Object.fromEntries(Object.entries(own).map(([name, ask]) => [name, called(ask)]))
  class Resolver {}
  Object.assign(Resolver.prototype, resolving, settings)

  const order = { getDefaultResultOrder: () => 'verbatim', setDefaultResultOrder() {} }
  const { getServers, setServers } = settings
  const promises = {
    ...{ lookup, lookupService: absent('getnameinfo'), ...own, Resolver: PromisesResolver },
    ...{ getServers, setServers, ...order, ...CODES },
  }
  return {
    lookup: called(lookup, (result) => (Array.isArray(result) ? [result] : [result.address, result.family])),
    lookupService: called(promises.lookupService),
    ...{ ...resolving, Resolver, getServers, setServers, ...order, ...CODES, promises },
    ...{ ADDRCONFIG: 32, V4MAPPED: 8, ALL: 16 },
  }
}
