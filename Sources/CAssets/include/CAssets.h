#ifndef C_ASSETS_H
#define C_ASSETS_H

#endif
