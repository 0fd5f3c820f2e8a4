/* What a binary without shared libraries has in place of what hwloc would load: its plug-ins, which
 * tell of devices, and udev, which tells the makers of disks. fathom asks hwloc for neither. */
#include <stddef.h>

/* Linked with --wrap=dlopen. */
void *__wrap_dlopen(const char *file, int mode);
void *udev_new(void);
void *udev_unref(void *udev);
void *udev_device_new_from_subsystem_sysname(void *udev, const char *subsystem, const char *name);
void *udev_device_unref(void *device);
const char *udev_device_get_property_value(void *device, const char *key);

void *__wrap_dlopen(const char *file, int mode)
{
	(void)file, (void)mode;
	return NULL;
}

void *udev_new(void)
{
	return NULL; /* hwloc then asks no more of it */
}

void *udev_unref(void *udev)
{
	return udev;
}

void *udev_device_new_from_subsystem_sysname(void *udev, const char *subsystem, const char *name)
{
	(void)udev, (void)subsystem, (void)name;
	return NULL;
}

void *udev_device_unref(void *device)
{
	return device;
}

const char *udev_device_get_property_value(void *device, const char *key)
{
	(void)device, (void)key;
	return NULL;
}
