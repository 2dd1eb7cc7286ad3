// What a user of BLIP names without a second import: properties, versions, errors.
@_exported public import WharfBLIPEngine
