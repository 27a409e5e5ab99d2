export { formatAddress } from 'localized-address-format';
