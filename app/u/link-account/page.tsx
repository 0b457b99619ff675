export { generateMetadata, generateViewport, HostedPage as default } from '../hosted-page'
