// The modules that `require` knows, by name: what Node.js has and needs no machine. Each is made when it is first required; the image
// has those of `EVALUATED` ready.
import { StringDecoder } from 'string_decoder/'
import { ABSENT } from './names.js'
import { assert, strict } from './node/assert.js'
import { bcryptOf } from './node/bcrypt.js'
import { Buffer, bufferModule, withHost } from './node/buffer.js'
import { consoleOf } from './node/console.js'
import { cryptoOf } from './node/crypto.js'
import { dnsOf } from './node/dns.js'
import { EventEmitter } from './node/events.js'
import { httpOf } from './node/http.js'
import { netOf } from './node/net.js'
import { path } from './node/path.js'
import { processOf } from './node/process.js'
import { punycode } from './node/punycode.js'
import { querystring } from './node/querystring.js'
import { asyncHooks, diagnosticsOf, os, perfHooks, timersModule, timersPromises, tty } from './node/stubs.js'
import { tlsOf } from './node/tls.js'
import { types } from './node/types.js'
import { url } from './node/url.js'
import { utilOf } from './node/util.js'
import { zlibOf } from './node/zlib.js'

const NOT_HERE = 'it is no module of Node.js that actions have, and no dependency of this action'

const absent = (name, why) =>
  Object.assign(new Error(`Cannot find module '${name}': ${why}`), { code: 'MODULE_NOT_FOUND' })

/**
 * Packages require modules that they do not use: any use of this one throws, or rejects where Node.js has promises. Its members are functions, so
 * that classes can extend them.
 */
function unusable(name, why) {
  const members = new Map()
  const refusal = (member) => {
    function refused() {
      const error = absent(name, `${why} (${name}.${member} was used)`)
      if (name.endsWith('/promises')) return Promise.reject(error)
      throw error
    }
    return refused
  }
  const get = (target, member) => {
    if (typeof member === 'symbol' || UNSEEN.includes(member)) return target[member]
    if (!members.has(member))
      members.set(
        member,
        member === 'promises' ? unusable(`${name}/promises`, why) : (PLAIN[member] ?? refusal(member)),
      )
    return members.get(member)
  }
  return new Proxy({}, { get })
}
const UNSEEN = ['then', '__esModule', 'toJSON', 'default', 'prototype']
const PLAIN = { constants: {}, STATUS_CODES: {}, METHODS: [] }

/**
 * @param {object} sys
 * @param {Record<string, () => any>} more modules of others, by name
 * @returns `require` for the code of an action. Packages get one that gives an object in place of an absent module.
 */
export function modulesOf(sys, more = {}) {
  withHost(sys)
  const made = new Map()
  const stream = () => requireModule('stream')
  const factories = {
    assert: () => assert,
    'assert/strict': () => strict,
    async_hooks: () => asyncHooks,
    bcrypt: () => requireModule('bcryptjs'),
    bcryptjs: () => bcryptOf(sys),
    buffer: () => ({ ...bufferModule, Blob: globalThis.Blob, File: globalThis.File }),
    console: () => globalThis.console,
    constants: () => requireModule('crypto').constants,
    crypto: () => {
      const { globals: _globals, ...module } = crypto()
      return module
    },
    diagnostics_channel: () => diagnosticsOf(),
    dns: () => dnsOf(sys),
    'dns/promises': () => requireModule('dns').promises,
    events: () => EventEmitter,
    http: () => clients().http,
    https: () => clients().https,
    net: () => netOf(sys, stream()),
    os: () => os,
    path: () => path,
    'path/posix': () => path,
    'path/win32': () => path.win32,
    perf_hooks: () => perfHooks,
    process: () => globalThis.process,
    punycode: () => punycode,
    querystring: () => querystring,
    stream: () => require('readable-stream/lib/ours/browser.js'),
    'stream/promises': () => stream().promises,
    'stream/web': () => ({
      ReadableStream: globalThis.ReadableStream,
      WritableStream: globalThis.WritableStream,
      TransformStream: globalThis.TransformStream,
      CompressionStream: globalThis.CompressionStream,
      DecompressionStream: globalThis.DecompressionStream,
    }),
    string_decoder: () => ({ StringDecoder }),
    sys: () => requireModule('util'),
    timers: () => timersModule,
    'timers/promises': () => timersPromises,
    tls: () => tlsOf(sys, requireModule('net')),
    tty: () => tty,
    url: () => url,
    util: () => utilOf(sys),
    'util/types': () => types,
    zlib: () => zlibOf(sys, stream().Transform),
    ...more,
  }
  let clientsMade = null
  const clients = () => {
    clientsMade ??= httpOf(sys, stream())
    return clientsMade
  }
  let cryptoMade = null
  const crypto = () => {
    cryptoMade ??= cryptoOf(sys, stream())
    return cryptoMade
  }

  const bare = (name) => String(name).replace(/^node:/, '')
  function known(name) {
    const key = bare(name)
    if (!made.has(key) && Object.hasOwn(factories, key)) made.set(key, factories[key]())
    return made.get(key)
  }
  function refuse(name) {
    const why = Object.hasOwn(ABSENT, bare(name)) ? ABSENT[bare(name)] : undefined
    sys.print('error', `require(${name}) was refused: ${why ?? NOT_HERE}`)
    throw absent(name, why ?? NOT_HERE)
  }
  const bundle = bundleOf(requireForPackage)
  const found = (name) => known(name) ?? bundle.find(name)
  const requireModule = (name) => found(name) ?? refuse(name)
  function requireForPackage(name) {
    const key = bare(name)
    if (!Object.hasOwn(factories, key) && Object.hasOwn(ABSENT, key)) {
      if (!made.has(`absent ${key}`)) made.set(`absent ${key}`, unusable(key, ABSENT[key]))
      return made.get(`absent ${key}`)
    }
    const module = found(name)
    if (module === undefined) throw absent(name, NOT_HERE)
    return module
  }

  const process = processOf(sys)
  return {
    require: requireModule,
    ...{ load: bundle.load, names: bundle.names, evaluate: bundle.find, refuse: bundle.refuse },
    /** The globals of Node.js. */
    globals: { Buffer, console: consoleOf(sys), process, global: globalThis, ...crypto().globals },
    prepare() {
      for (const name of EVALUATED) known(name)
    },
  }
}

/** The packages of an action. Each is evaluated when it is first required; the image has those ready that can be the same for all runs. */
function bundleOf(require) {
  let factory = () => ({})
  let packages = null
  const evaluated = new Map()
  const refused = new Map()
  const all = () => {
    packages ??= factory(require)
    return packages
  }
  const allowed = (name) => {
    if (refused.has(name)) throw new Error(refused.get(name))
  }
  return {
    /** The bundle takes `require` and returns an object whose getters evaluate the packages. */
    load(bundle) {
      factory = bundle
    },
    names: () => Object.keys(all()),
    /** Undefined if the bundle has none of this name. */
    find(name) {
      allowed('')
      if (!Object.hasOwn(all(), name)) return undefined
      allowed(name)
      if (!evaluated.has(name)) evaluated.set(name, packages[name])
      return evaluated.get(name)
    },
    /** From now on the package throws when it is required; the empty name is all of them. */
    refuse: (name, why) => void refused.set(name, why),
  }
}

const EVALUATED = ['buffer', 'crypto', 'events', 'stream', 'url', 'util', 'zlib']
