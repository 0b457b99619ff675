// Our only script inside the sandbox: it passes `event`, `api`, `console` and `require` to an action, runs its handler and
// reports the outcome to the host. It is evaluated in a fresh context, before the action's code.
// - It is no security boundary: whatever the action changes in its context, only the host decides what a call means.
// - The host is one function that takes a name and a text, and returns a text or nothing.
;(host, longest) => {
  const { parse, stringify } = JSON

  const send = (name, text) => host(name, typeof text === 'string' && text.length <= longest ? text : null)

  const withoutTail = (args) => {
    while (args.length > 0 && args[args.length - 1] === undefined) args.length -= 1
    return args
  }

  const apiOf = (methods) => {
    const api = {}
    for (const name of methods) {
      const [space, method] = name.split('.')
      api[space] ??= {}
      api[space][method] = (...args) => {
        const answer = send(name, stringify(withoutTail(args)))
        return answer === undefined ? api : (parse(answer) ?? undefined)
      }
    }
    return api
  }

  const shown = (value) => {
    if (typeof value === 'string') return value
    if (value instanceof Error) return `${value.name}: ${value.message}`
    return stringify(value) ?? String(value)
  }

  const consoleOf = () => {
    const out = {}
    for (const level of ['log', 'info', 'warn', 'error', 'debug']) {
      out[level] = (...values) => {
        let line = ''
        for (let i = 0; i < values.length; i += 1) line += (i === 0 ? '' : ' ') + shown(values[i])
        send(`console.${level}`, line.length > longest ? line.slice(0, longest) : line)
      }
    }
    return out
  }

  const require = (name) => {
    send('console.error', `require(${shown(name)}) was refused: an action runs without modules`)
    throw new Error(`require(${shown(name)}): an action runs without modules`)
  }

  const described = (error) => {
    try {
      const { name, message, stack } = error instanceof Error ? error : { name: 'Thrown', message: shown(error) }
      return stringify([`${name}`.slice(0, 100), `${message}`.slice(0, 1000), `${stack ?? ''}`.slice(0, 2000)])
    } catch {
      return '["Thrown","something that cannot be shown",""]'
    }
  }

  const fail = (error) => send('fail', described(error))

  const start = async (factory, task) => {
    try {
      const { handler, optional, methods, event } = parse(task)
      const api = apiOf(methods)
      const module = { exports: {} }
      factory(module.exports, module, require, consoleOf())
      const handle = module.exports[handler]
      if (typeof handle === 'function') await handle(event, api)
      else if (!optional) throw new TypeError(`exports.${handler} is no function`)
      send('end', '')
    } catch (error) {
      fail(error)
    }
  }

  return { start, fail }
}
