// post-login: outside the networks of the staff, each login takes a second factor.
const ipaddr = require('ipaddr.js')

const contains = (network, address) => {
  const [start, bits] = ipaddr.parseCIDR(network)
  return start.kind() === address.kind() && address.match(start, bits)
}

exports.onExecutePostLogin = async (event, api) => {
  const networks = event.secrets.STAFF_NETWORKS.split(' ')
  const address = ipaddr.process(event.request.ip)
  if (!networks.some((network) => contains(network, address)))
    api.multifactor.enable('any', { allowRememberBrowser: false })
}
