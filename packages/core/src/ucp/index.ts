export {
  getCatalogProduct,
  lookupCatalog,
  runUcp,
  searchCatalog,
  type UcpOperation,
  ucpOperations,
} from './operations.ts';
export { maxUcpVariants } from './read.ts';
export { agentContext, findUcpStore, openUcp } from './stores.ts';
export { type UcpProfile, ucpProfile, ucpVersion } from './version.ts';
